/**
 * `/design-lab-vendors [allow|forget PROVIDER…]`: which vendors may have this project's files.
 */
import { agreedVendors, noteAgreedVendors } from "../kernel/agreed-vendors.js";

/**
 * @param {import("./request.js").Request} request
 * @returns {Promise<string>}
 */
export async function vendors({ core, host, project, text }) {
  const before = agreedVendors(project);
  const connected = [...new Set((await host.models()).map(({ provider }) => provider))];
  const { agreed, wording } = core.vendors({ text, agreed: before, connected });
  if (agreed.join() !== before.join()) await noteAgreedVendors(project, agreed);
  return wording;
}
