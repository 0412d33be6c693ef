/** The part of JSON Schema (draft 2020-12) that the fields of events need. */
export interface FieldSchema {
  readonly description: string;
  readonly type?: string | readonly [string, 'null'];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly items?: FieldSchema;
}

declare const VALUE: unique symbol;

/** One field of an event's data: its published schema and, through it, the type of its value, `T`. */
export interface Field<T> {
  readonly schema: FieldSchema;
  /** For the compiler only; never present. */
  readonly [VALUE]?: T;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** Data with exactly these fields. */
export type DataOf<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never };

/** The shape of the data of one event type, and an example. */
export interface EventShape<F extends Fields = Fields> {
  readonly fields: F;
  readonly example: DataOf<F>;
}

/** Declares the data of an event type. The compiler checks the example and the calls of `record()` against it. */
export function shape<F extends Fields>(fields: F, example: NoInfer<DataOf<F>>): EventShape<F> {
  return { fields, example };
}

/** A UUID. */
export function id(description: string): Field<string> {
  return { schema: { type: 'string', format: 'uuid', description } };
}

export function text(description: string): Field<string> {
  return { schema: { type: 'string', description } };
}

/** An absolute URL. */
export function address(description: string): Field<string> {
  return { schema: { type: 'string', format: 'uri', description } };
}

/** RFC 3339, UTC, milliseconds (contract, section 1). */
export function instant(description: string): Field<string> {
  return { schema: { type: 'string', format: 'date-time', description } };
}

/** An integer, 0 or more. */
export function count(description: string): Field<number> {
  return { schema: { type: 'integer', minimum: 0, description } };
}

export function flag(description: string): Field<boolean> {
  return { schema: { type: 'boolean', description } };
}

/** Always this value. */
export function constant<const V>(value: V, description: string): Field<V> {
  return { schema: { const: value, description } };
}

/** One of a set that will not grow. */
export function oneOf<const V extends string>(values: readonly V[], description: string): Field<V> {
  return { schema: { type: 'string', enum: values, description } };
}

/**
 * One of a set that may grow. So the published schema accepts any string and only lists the current values in
 * `examples`; the tests check emitted events against these.
 */
export function known<const V extends string>(values: readonly V[], description: string): Field<V> {
  const names = values.map((value) => `\`${value}\``).join(', ');
  return {
    schema: { type: 'string', examples: values, description: `${description} Today ${names}; others may follow.` },
  };
}

export function listOf<T>(items: Field<T>, description: string): Field<T[]> {
  return { schema: { type: 'array', items: items.schema, description } };
}

/** The same field, or null; its description should say what null means. */
export function orNull<T>({ schema }: Field<T>): Field<T | null> {
  const { type, enum: values } = schema;
  return {
    schema: {
      ...schema,
      ...(typeof type === 'string' && { type: [type, 'null'] as const }),
      ...(values && { enum: [...values, null] }),
    },
  };
}

/** The names of the fields that changed. */
export function changed<const V extends string>(...names: readonly V[]): Field<V[]> {
  return listOf(known(names, 'The name of a field.'), 'What is different now.');
}
