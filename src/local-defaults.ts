/** Loopback, both families. */
const THIS_MACHINE = '127.0.0.0/8,::1/128';
const LOOPBACK_HOSTS = ['127.0.0.1', '::1', 'localhost'];

/**
 * The configuration of `npm start`, meant for trying things out: webhooks may call a receiver on this machine, and it
 * stops at once. These
 * defaults only apply while nobody else can reach the service: it has its own database, listens on loopback, and has no
 * other public URL. What the operator sets wins.
 *
 * @param variables normally `process.env`; an empty string counts as unset
 * @returns the variables, with defaults added where they are unset
 */
export function withLocalDefaults(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const valueOf = (name: string) => variables[name]?.trim() || undefined;
  const isLocal =
    valueOf('DATABASE_URL') === undefined &&
    valueOf('DATABASE_URL_FILE') === undefined &&
    valueOf('PUBLIC_URL') === undefined &&
    LOOPBACK_HOSTS.includes(valueOf('HOST') ?? '127.0.0.1');
  if (!isLocal) return variables;
  return {
    ...variables,
    WEBHOOKS_ALLOW_HTTP: valueOf('WEBHOOKS_ALLOW_HTTP') ?? 'true',
    WEBHOOKS_ALLOWED_NETWORKS: valueOf('WEBHOOKS_ALLOWED_NETWORKS') ?? THIS_MACHINE,
    CREDENTIALS_OVER_LOOPBACK_HTTP: valueOf('CREDENTIALS_OVER_LOOPBACK_HTTP') ?? 'true',
    // No load balancer has to notice.
    SHUTDOWN_DELAY_SECONDS: valueOf('SHUTDOWN_DELAY_SECONDS') ?? '0',
  };
}
