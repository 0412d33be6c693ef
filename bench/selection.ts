/** What users feel: pages of the catalogue, calls of tools, webhooks, provisioning, signing in, and what limits cost. */
export const GUARDED_CASES = [
  'categories',
  'catalogue',
  'registry-requests',
  'gateway-calls',
  'webhook-throughput',
  'webhook-latency',
  'scim-requests',
  'scim-sync',
  'limits',
  'sign-in',
];

/**
 * @param cases the names of all cases
 * @param options.only names of cases, each of which also means those whose names begin with it: `sign-in` and `sign-in-code`
 * @param options.all every case
 * @returns which cases to run: without options `GUARDED_CASES`
 * @throws Error for a name that is not a case's, and for both options together
 */
export function selectedCases(cases: readonly string[], { only, all }: { only?: string[]; all?: boolean }): string[] {
  if (only && all) throw new Error('Use either --only or --all.');
  if (!only) return all ? [...cases] : GUARDED_CASES;
  const selected = only.flatMap((name) => {
    const found = cases.filter((one) => one === name || one.startsWith(`${name}-`));
    if (found.length === 0) throw new Error(`The case ${name} does not exist; the cases are ${cases.join(', ')}.`);
    return found;
  });
  return [...new Set(selected)];
}
