import { parseUrl } from './parse-url';
import { readSecretFile } from './secret-file';

/** Variables with a secret. Each can also be given as a file, named by `<variable>_FILE`. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'SECRETS_KEY',
  'SECRETS_KEYS_ACCEPTED',
  'OIDC_CLIENT_SECRET',
  'SSO_CLIENT_SECRET',
  'OAUTH_REGISTRATION_TOKEN',
  'SETUP_TOKEN',
  'SMTP_URL',
] as const;
export type SecretVariable = (typeof SECRET_VARIABLES)[number];

/** The environment is invalid. The message lists every error and can be printed for the operator. */
export class EnvironmentError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`Toolyard cannot start with this configuration:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'EnvironmentError';
  }
}

interface UrlOptions {
  /** Keeps a trailing slash, which is removed otherwise. */
  keepSlash?: boolean;
  /** Allows only scheme, host and path, since other URLs are built from it (RFC 8414, section 2). */
  bare?: boolean;
}

/** Reads typed values and collects errors, so that an operator sees all of them at once. */
export class EnvironmentReader {
  private readonly faults: string[] = [];
  /** What was read from files, by variable; undefined if that was not possible, which has been reported. */
  private readonly fromFiles = new Map<string, string | undefined>();

  constructor(private readonly variables: Readonly<Record<string, string | undefined>>) {}

  /** Never includes the value: it may be a secret in the wrong variable. */
  fault(name: string, fault: string, example: string): void {
    if (this.fromFiles.has(name)) {
      // The file could not be read, which has been reported: nothing else about this variable is known.
      if (this.fromFiles.get(name) === undefined) return;
      this.faults.push(`${name} (from the file of ${name}_FILE) ${fault}. Example: ${example}`);
    } else this.faults.push(`${name} ${fault}. Example: ${example}`);
  }

  finish(): void {
    if (this.faults.length > 0) throw new EnvironmentError(this.faults);
  }

  optional(name: string): string | undefined {
    const value = this.variables[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  }

  /**
   * The value of a secret variable, or the content of the file that `<name>_FILE` names, without one final line break.
   * Setting both is an error.
   */
  secret(name: SecretVariable): string | undefined {
    if (this.fromFiles.has(name)) return this.fromFiles.get(name);
    const [value, path] = [this.optional(name), this.optional(`${name}_FILE`)];
    if (path === undefined) return value;
    const example = `/run/secrets/${name.toLowerCase()}`;
    if (value !== undefined)
      this.fault(`${name}_FILE`, `is set together with ${name}: only one of them can be`, example);
    const { content, fault } = readSecretFile(path);
    if (fault !== undefined) this.fault(`${name}_FILE`, fault, example);
    this.fromFiles.set(name, content);
    return content;
  }

  text(name: string, fallback: string): string {
    return this.optional(name) ?? fallback;
  }

  list(name: string, fallback: string[] = []): string[] {
    const value = this.optional(name);
    if (value === undefined) return fallback;
    return value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.optional(name);
    if (value === undefined) return fallback;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
    if (!(number >= min && number <= max)) this.fault(name, `is not an integer from ${min} to ${max}`, `${fallback}`);
    return number;
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.optional(name)?.toLowerCase();
    if (value === undefined) return fallback;
    if (['true', '1', 'yes', 'on'].includes(value)) return true;
    if (!['false', '0', 'no', 'off'].includes(value)) this.fault(name, 'is neither true nor false', 'true');
    return false;
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    const value = this.optional(name);
    const match = values.find((candidate) => candidate === value);
    if (value !== undefined && match === undefined) this.fault(name, `is not one of ${values.join(', ')}`, fallback);
    return match ?? fallback;
  }

  url(name: string, schemes: string[], example: string, options: UrlOptions = {}): string | undefined {
    return this.checkUrl(name, this.optional(name), schemes, example, options);
  }

  /** Like `url`, for one that contains a password. */
  secretUrl(name: SecretVariable, schemes: string[], example: string): string | undefined {
    return this.checkUrl(name, this.secret(name), schemes, example, {});
  }

  private checkUrl(
    name: string,
    value: string | undefined,
    schemes: string[],
    example: string,
    options: UrlOptions,
  ): string | undefined {
    if (value === undefined) return undefined;
    if (!parseUrl(value) || !schemes.some((scheme) => value.toLowerCase().startsWith(`${scheme}://`))) {
      this.fault(
        name,
        `is not a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
        example,
      );
      return value;
    }
    const { username, password } = new URL(value);
    if (options.bare && (username !== '' || password !== '' || /[?#]/.test(value)))
      this.fault(name, 'must not have user info, a query or a fragment', example);
    // Issuers are compared as exact strings (RFC 8414, section 3.3), so the slash is kept.
    return options.keepSlash ? value : value.replace(/\/+$/, '');
  }
}
