import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import { parseUrl } from '../../config/parse-url';
import type { Fault } from '../../errors/errors';
import { BoundedKeywords } from './bounded-keywords';
import { toFaults } from './schema-faults';

/**
 * An external specification given as a JSON Schema (2020-12), such as that of `server.json`. Our own requests use DTO
 * classes (ADR 23).
 */
export class JsonSchema {
  private readonly bounded: BoundedKeywords;
  private readonly validate: ValidateFunction;

  constructor(schema: object) {
    const ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      // Its meta-schemas would need keywords that are replaced below.
      meta: false,
      validateSchema: false,
      formats: { uri: (text: string) => parseUrl(text) !== undefined },
    });
    this.bounded = new BoundedKeywords(ajv);
    this.validate = ajv.compile({ ...schema });
  }

  /** @returns what is wrong with a value, in the order of the schema; `loc` begins below it */
  faultsOf(value: unknown): Fault[] {
    this.bounded.begin();
    return this.validate(value) ? [] : toFaults(this.validate.errors ?? [], [], value);
  }
}
