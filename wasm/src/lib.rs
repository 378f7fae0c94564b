//! The wasm boundary: decode, call the core, encode. It holds no logic.
