import type { DataOf, EventShape, Fields } from './event-shape';

/**
 * The type of the data of every event: `EventTypes['thing.created']`. Each module adds its own with `declare module`,
 * in its `*.events.ts`, so that the compiler can check the arguments of `record()`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the modules fill it
export interface EventTypes {}

/** The name of an event. */
export type EventType = keyof EventTypes;

/** One event type, with its texts for clients. */
export interface EventDeclaration<F extends Fields = Fields> extends EventShape<F> {
  readonly label: string;
  readonly description: string;
}

/** The event types of one module, which clients show together. */
export interface EventGroup<T extends Declarations = Declarations> {
  readonly name: string;
  readonly types: T;
}

type Declarations = Readonly<Record<string, EventDeclaration>>;

/** What a group adds to `EventTypes`. */
export type DataOfEvents<G extends EventGroup> = { [N in keyof G['types']]: DataOf<G['types'][N]['fields']> };

/** Declares an event type: two texts for people, and the shape of its data. */
export function event<F extends Fields>(label: string, description: string, shape: EventShape<F>): EventDeclaration<F> {
  return { label, description, ...shape };
}

/**
 * Declares the event types of a module, in its `*.events.ts`. The module lists them in `declares`, from which the
 * catalogue takes them.
 *
 * @param name of the group, as clients show it
 * @param types by name; append new ones, since clients show them in this order (contract, section 8)
 */
export function defineEvents<T extends Declarations>(name: string, types: T): EventGroup<T> {
  return { name, types };
}

/**
 * The schema of an event's name, for `@ApiProperty`. The module that uses it cannot see all other modules, so the
 * values are added from the catalogue when the document is built.
 */
export const EVENT_TYPE_SCHEMA = { type: 'string' as const, enum: [], enumName: 'EventType' };
