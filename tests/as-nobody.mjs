// Permissions don't apply to root: tests of refused access run as another user.

/** A user that owns nothing. */
export const NOBODY = 65_534;

/** Whether the tests run as a user to whom permissions don't apply. */
export const isRoot = process.getuid?.() === 0;

/**
 * Runs an action as a user to whom permissions apply. Nothing else may run concurrently in this process.
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
