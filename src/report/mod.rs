//! What people read: Markdown, HTML, CSV, and the blocks in the chat.
