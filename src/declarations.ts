import type { EntitySchema } from 'typeorm';
import { DatabaseErrors } from './database/database-errors';
import type { ErrorCode } from './errors/errors';
import { EventCatalogue } from './events/event-catalogue';
import type { EventGroup } from './events/event-types';
import { ErrorCode as HttpCode } from './http/http.errors';
import { FAULT_TYPES } from './http/openapi/openapi-errors';
import type { CredentialScheme, Tag } from './http/openapi/openapi';
import type { EnumNames } from './http/openapi/openapi-schemas';
import { httpStatus } from './http/answers/error-status';

type Entity = string | (abstract new () => object) | EntitySchema;

/** What a noun adds to rooms that cannot know of it: `static readonly declares` of its module. */
export interface Declarations {
  /** The tables of its own. */
  readonly entities?: readonly Entity[];
  /** Its error codes, without those of the rooms below. */
  readonly errors?: Readonly<Record<string, ErrorCode>>;
  /** Its event types, in the order in which clients show them. */
  readonly events?: readonly EventGroup[];
  /** Events to which nobody subscribes, since they come only when somebody asks for one. */
  readonly eventsOnRequest?: readonly EventGroup[];
  /** The groups of its operations in the OpenAPI document. */
  readonly tags?: readonly Tag[];
  /** Credentials that are no access token. */
  readonly credentials?: readonly CredentialScheme[];
  /**
   * The names of its enumerations in the OpenAPI document, and so in generated clients. An enumeration that is not here is
   * called after the only place that has it: `RoleMappingOut.state` is `RoleMappingState`.
   */
  readonly enums?: EnumNames;
}

/** The declarations of all rooms together. */
export class Declared {
  readonly entities: Entity[];
  /** In the order of their statuses. */
  readonly errors: readonly ErrorCode[];
  readonly databaseErrors: DatabaseErrors;
  readonly events: EventCatalogue;
  readonly tags: readonly Tag[];
  readonly credentials: readonly CredentialScheme[];
  readonly enums: EnumNames;

  /** @param all in the order that tags and groups of events have for clients */
  constructor(all: readonly Declarations[]) {
    this.entities = all.flatMap(({ entities = [] }) => entities);
    this.errors = [HttpCode, ...all.map(({ errors = {} }) => errors)]
      .flatMap((codes) => Object.values<ErrorCode>(codes))
      .sort((a, b) => httpStatus(a) - httpStatus(b));
    this.databaseErrors = new DatabaseErrors(this.errors);
    this.events = new EventCatalogue(
      all.flatMap(({ events = [] }) => events),
      all.flatMap(({ eventsOnRequest = [] }) => eventsOnRequest),
    );
    this.tags = all.flatMap(({ tags = [] }) => tags);
    this.credentials = all.flatMap(({ credentials = [] }) => credentials);
    this.enums = Object.assign(
      {
        AnyEventType: this.events.all.map(({ event_type }) => event_type),
        ErrorCode: this.errors.map(({ code }) => code),
        EventType: this.events.types,
        FaultType: FAULT_TYPES,
      },
      ...all.map(({ enums = {} }) => enums),
    ) as EnumNames;
  }
}
