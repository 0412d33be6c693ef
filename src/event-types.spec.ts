import { Ajv2020 } from 'ajv/dist/2020';
import { DECLARED } from './app.module';
import { parseUrl } from './config/parse-url';
import { STORED_ID } from './database/id';
import type { EventPayload } from './events/event-schemas';
import type { FieldSchema } from './events/event-shape';
import type { EventTypes } from './events/event-types';

/** The schema of a payload, as far as the tests read it. */
interface Published {
  $schema: string;
  $id: string;
  title: string;
  description: string;
  properties: {
    type: FieldSchema;
    timestamp: FieldSchema;
    data: { description: string; required: string[]; properties: Record<string, FieldSchema> };
  };
}

const ALL = DECLARED.events.all.map(({ event_type, schema, example, ...entry }) => ({
  name: event_type,
  schema: schema as unknown as Published,
  example,
  entry,
}));

const ajv = new Ajv2020({
  strict: true,
  formats: {
    uuid: STORED_ID,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    uri: (text: string) => parseUrl(text) !== undefined,
  },
});

/** Whether a receiver that validates would accept it. */
function accepts(name: string, payload: unknown): boolean {
  const validate = ajv.getSchema(`urn:toolyard:event:${name}`) ?? ajv.compile(find(name).schema);
  return validate(payload) as boolean;
}

function find(name: string) {
  const eventType = ALL.find((type) => type.name === name);
  if (!eventType) throw new Error(`${name} is not described.`);
  return eventType;
}

function withData(example: EventPayload, data: object): EventPayload {
  return { ...example, data: { ...example.data, ...data } };
}

function without(thing: object, name: string): object {
  return Object.fromEntries(Object.entries(thing).filter(([key]) => key !== name));
}

describe('The schemas of webhook events', () => {
  it('exist for every type of the catalogue, in its order, and for the ping', () => {
    const { types, all } = DECLARED.events;
    expect(types).toHaveLength(72);
    expect(all.map(({ event_type }) => event_type)).toEqual([...types, 'webhook.ping']);
  });

  describe.each(ALL)('of $name', ({ name, schema, example, entry }) => {
    const { data } = schema.properties;
    const fields = Object.keys(data.properties);

    it('has the name of the type, and the description of the catalogue', () => {
      expect(schema).toMatchObject({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: `urn:toolyard:event:${name}`,
        title: entry.label,
        properties: { type: { const: name } },
      });
      expect(schema.description).toContain(entry.description);
    });

    it('accepts its example, which has exactly the declared fields', () => {
      expect(accepts(name, example)).toBe(true);
      expect(Object.keys(example)).toEqual(['type', 'timestamp', 'data']);
      expect(Object.keys(example.data).sort()).toEqual([...fields].sort());
      expect(fields).toContain('org_id');
    });

    it.each(['type', 'timestamp', 'data'])('rejects a payload without %s, or with a wrong one', (field) => {
      expect(accepts(name, without(example, field))).toBe(false);
      expect(accepts(name, { ...example, [field]: 'wrong' })).toBe(false);
    });

    it.each(fields)('rejects data without %s, or with a wrong one', (field) => {
      expect(accepts(name, { ...example, data: without(example.data, field) })).toBe(false);
      expect(accepts(name, withData(example, { [field]: {} }))).toBe(false);
    });

    it('accepts additional fields, and tells receivers to ignore them', () => {
      const grown = { ...withData(example, { added_later: 1 }), added_later: 1 };
      expect(accepts(name, grown)).toBe(true);
      expect(schema.description).toContain('Ignore unknown fields.');
      expect(data.description).toContain('Ignore unknown fields.');
    });

    it('describes every field', () => {
      const described = ({ description, items }: FieldSchema): boolean =>
        /^[A-Z].*\.$/.test(description) && (items === undefined || described(items));
      const { type, timestamp } = schema.properties;
      expect([type, timestamp, ...Object.values(data.properties)].filter((field) => !described(field))).toEqual([]);
    });
  });

  it('accept new values in an open enumeration, but not in a closed one', () => {
    const changed = find('member.role_changed').example;
    expect(accepts('member.role_changed', withData(changed, { reason: 'full_moon' }))).toBe(true);
    expect(accepts('member.role_changed', withData(changed, { role: 'EMPEROR' }))).toBe(false);
    expect(accepts('member.role_changed', withData(changed, { role: null }))).toBe(false);
    const mapping = find('scim.role_mapping_changed').example;
    expect(accepts('scim.role_mapping_changed', withData(mapping, { role: null }))).toBe(true);
    expect(accepts('scim.role_mapping_changed', withData(mapping, { role: 'EMPEROR' }))).toBe(false);
  });

  it('agree with the TypeScript types', () => {
    const { example } = find('bundle.followed');
    const { bundle_id, user_id, org_id } = example.data as EventTypes['bundle.followed'];
    const whole: EventTypes['bundle.followed'] = { bundle_id, user_id, org_id: null };
    expect(accepts('bundle.followed', { ...example, data: whole })).toBe(true);
    // @ts-expect-error A field is missing.
    const partial: EventTypes['bundle.followed'] = { bundle_id, user_id };
    expect(accepts('bundle.followed', { ...example, data: partial })).toBe(false);
    // @ts-expect-error A field is of another type.
    const wrong: EventTypes['bundle.followed'] = { bundle_id, user_id: 1, org_id };
    expect(accepts('bundle.followed', { ...example, data: wrong })).toBe(false);
    // @ts-expect-error A field is not declared; to receivers it would be growth.
    const more: EventTypes['bundle.followed'] = { bundle_id, user_id, org_id, followers: 3 };
    expect(accepts('bundle.followed', { ...example, data: more })).toBe(true);
  });
});
