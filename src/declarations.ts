import type { EntitySchema } from 'typeorm';
import { DatabaseErrors } from './database/database-errors';
import type { SealedColumn } from './database/sealed-column';
import type { ErrorCode } from './errors/errors';
import { EventCatalogue } from './events/event-catalogue';
import type { EventGroup } from './events/event-types';
import { ErrorCode as HttpCode } from './http/http.errors';
import { FAULT_TYPES } from './http/openapi/openapi-errors';
import type { CredentialScheme, Tag } from './http/openapi/openapi';
import type { EnumNames } from './http/openapi/openapi-schemas';
import { httpStatus } from './http/answers/error-status';

type Entity = string | (abstract new () => object) | EntitySchema;

/** What a module adds to the shared modules, which must not depend on it: its `static readonly declares`. */
export interface Declarations {
  /** Its tables. */
  readonly entities?: readonly Entity[];
  /** Columns of its tables that `SECRETS_KEY` seals. */
  readonly sealed?: readonly SealedColumn[];
  /** Its error codes, without those of the modules it depends on. */
  readonly errors?: Readonly<Record<string, ErrorCode>>;
  /** Its event types, in the order in which clients show them. */
  readonly events?: readonly EventGroup[];
  /** Events that cannot be subscribed to, because they are only sent on request (a ping). */
  readonly eventsOnRequest?: readonly EventGroup[];
  /** Its groups of operations in the OpenAPI document. */
  readonly tags?: readonly Tag[];
  /** Credentials other than access tokens of an account. */
  readonly credentials?: readonly CredentialScheme[];
  /**
   * The names of its enumerations in the OpenAPI document, and so in generated clients. An enumeration that is not
   * listed here is named after the only place that uses it: `RoleMappingOut.state` is `RoleMappingState`.
   */
  readonly enums?: EnumNames;
}

/** The declarations of all modules, combined. */
export class Declared {
  readonly entities: Entity[];
  readonly sealed: readonly SealedColumn[];
  /** Ordered by status. */
  readonly errors: readonly ErrorCode[];
  readonly databaseErrors: DatabaseErrors;
  readonly events: EventCatalogue;
  readonly tags: readonly Tag[];
  readonly credentials: readonly CredentialScheme[];
  readonly enums: EnumNames;

  /** @param declarations in the order in which clients show tags and groups of events */
  constructor(declarations: readonly Declarations[]) {
    this.entities = declarations.flatMap(({ entities = [] }) => entities);
    this.sealed = declarations.flatMap(({ sealed = [] }) => sealed);
    this.errors = [HttpCode, ...declarations.map(({ errors = {} }) => errors)]
      .flatMap((codes) => Object.values<ErrorCode>(codes))
      .sort((a, b) => httpStatus(a) - httpStatus(b));
    this.databaseErrors = new DatabaseErrors(this.errors);
    this.events = new EventCatalogue(
      declarations.flatMap(({ events = [] }) => events),
      declarations.flatMap(({ eventsOnRequest = [] }) => eventsOnRequest),
    );
    this.tags = declarations.flatMap(({ tags = [] }) => tags);
    this.credentials = declarations.flatMap(({ credentials = [] }) => credentials);
    this.enums = Object.assign(
      {
        AnyEventType: this.events.all.map(({ event_type }) => event_type),
        ErrorCode: this.errors.map(({ code }) => code),
        EventType: this.events.types,
        FaultType: FAULT_TYPES,
      },
      ...declarations.map(({ enums = {} }) => enums),
    ) as EnumNames;
  }
}
