/** Loopback, both families. */
const THIS_MACHINE = '127.0.0.0/8,::1/128';
const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'];

/**
 * The configuration of `npm start`, which is for trying things out: webhooks may call a receiver on this machine.
 * That holds only while nobody else can reach the service: it has its own database, listens on loopback, and no other
 * public address was given. What the operator sets counts.
 *
 * @param variables normally `process.env`; an empty string counts as unset
 * @returns the variables, with defaults added where they are unset
 */
export function withLocalDefaults(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const given = (name: string) => variables[name]?.trim() || undefined;
  const isLocal =
    given('DATABASE_URL') === undefined &&
    given('PUBLIC_URL') === undefined &&
    LOOPBACK_HOSTS.includes(given('HOST') ?? '127.0.0.1');
  if (!isLocal) return variables;
  return {
    ...variables,
    WEBHOOKS_ALLOW_HTTP: given('WEBHOOKS_ALLOW_HTTP') ?? 'true',
    WEBHOOKS_ALLOWED_NETWORKS: given('WEBHOOKS_ALLOWED_NETWORKS') ?? THIS_MACHINE,
  };
}
