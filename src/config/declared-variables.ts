import { Environment } from './environment';
import { EnvironmentReader, SECRET_VARIABLES } from './environment-reader';

/** A variable as `Environment` reads it. */
export interface DeclaredVariable {
  /** Undefined if there is none. */
  fallback?: string;
  /** `boolean`, a range, or the allowed words; undefined for other text. */
  values?: string;
}

/** Values with which `Environment` also reads the variables that depend on others. */
const PROBE = {
  SSO_ISSUER: 'https://login.example.com',
  SSO_CLIENT_ID: 'toolyard',
  SSO_CLIENT_SECRET: 'secret',
  SSO_SIGN_UP: 'provisioned',
  LOG_FORMAT: 'json',
};

/** @returns every variable that `Environment` reads, by name, without the `…_FILE` of secrets */
export function declaredVariables(): ReadonlyMap<string, DeclaredVariable> {
  const reader = new RecordingReader(PROBE);
  new Environment(PROBE, reader);
  for (const name of SECRET_VARIABLES) reader.declared.delete(`${name}_FILE`);
  return reader.declared;
}

/** Records the names, defaults and bounds that the code asks for. */
class RecordingReader extends EnvironmentReader {
  readonly declared = new Map<string, DeclaredVariable>();

  override optional(name: string): string | undefined {
    this.declare(name, {});
    return super.optional(name);
  }

  override text(name: string, fallback: string): string {
    this.declare(name, { fallback });
    return super.text(name, fallback);
  }

  override list(name: string, fallback: string[] = []): string[] {
    this.declare(name, fallback.length > 0 ? { fallback: fallback.join(',') } : {});
    return super.list(name, fallback);
  }

  override integer(name: string, fallback: number, min: number, max: number): number {
    const values = `${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
    this.declare(name, { fallback: `${fallback}`, values });
    return super.integer(name, fallback, min, max);
  }

  override boolean(name: string, fallback: boolean): boolean {
    this.declare(name, { fallback: `${fallback}`, values: 'boolean' });
    return super.boolean(name, fallback);
  }

  override oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T {
    this.declare(name, { fallback, values: values.map((value) => `\`${value}\``).join(' ') });
    return super.oneOf(name, values, fallback);
  }

  private declare(name: string, variable: DeclaredVariable): void {
    this.declared.set(name, { ...this.declared.get(name), ...variable });
  }
}
