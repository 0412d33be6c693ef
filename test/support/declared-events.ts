import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import type { DataSource } from 'typeorm';
import { parseUrl } from '../../src/config/parse-url';
import { STORED_ID } from '../../src/database/id';
import { DECLARED } from '../../src/app.module';
import type { EventPayload } from '../../src/events/event-schemas';

/** Of more events of one type than this the oldest are looked at. */
const MAX_OF_A_TYPE = 5_000;

/** Compiling all of them would take longer than most suites need for their requests. */
const compiled = new Map<string, ValidateFunction>();
const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  // src/event-types.spec.ts does.
  validateSchema: false,
  formats: {
    uuid: STORED_ID,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    uri: (text: string) => parseUrl(text) !== undefined,
  },
});

/**
 * Holds a payload against the schema of its type (`*.events.ts` of its noun), more strictly than a receiver may: what the
 * schema does not name is an error here, and so is a value that an open list does not have today.
 *
 * @throws Error that says what differs
 */
export function expectDeclared(payload: EventPayload): void {
  const validate = validatorOf(payload.type);
  if (validate?.(payload)) return;
  const fault = validate
    ? `is not as its schema says: ${(validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`).join('; ')}`
    : 'is not in the catalogue.';
  throw new Error(`The event ${payload.type} ${fault}\n${JSON.stringify(payload)}`);
}

/** The same for everything that was recorded in a database. */
export async function expectDeclaredEvents(dataSource: DataSource): Promise<void> {
  const events = await dataSource.query<{ type: string; created_at: Date; data: object }[]>(
    `SELECT type, created_at, data
     FROM (SELECT *, row_number() OVER (PARTITION BY type ORDER BY id) AS number FROM events) AS numbered
     WHERE number <= $1`,
    [MAX_OF_A_TYPE],
  );
  for (const { type, created_at, data } of events) {
    expectDeclared({ type, timestamp: created_at.toISOString(), data });
  }
}

function validatorOf(type: string): ValidateFunction | undefined {
  const known = compiled.get(type);
  const declared = known ? undefined : DECLARED.events.all.find(({ event_type }) => event_type === type);
  if (declared) compiled.set(type, ajv.compile(strict(declared.schema)));
  return compiled.get(type);
}

/** The same schema without room for growth. */
function strict<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(strict) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict<unknown>(value)]));
  if (copy.additionalProperties === true) copy.additionalProperties = false;
  if (Array.isArray(copy.examples)) copy.enum = copy.examples;
  return copy as T;
}
