// Permissions don't hold for root: what is to be refused is tried as another user.

/** A user that owns nothing. */
export const NOBODY = 65_534;

/** Whether tests run as a user whom no permission stops. */
export const isRoot = process.getuid?.() === 0;

/**
 * Does something as a user for whom permissions hold. Nothing else may run beside it in this process.
 * @template T
 * @param {() => Promise<T>} action
 */
export async function asNobody(action) {
  if (!isRoot) return action();
  process.seteuid?.(NOBODY);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
  }
}
