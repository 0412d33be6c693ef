import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import type { EventType } from '../../events/event-types';
import { EVENT_TYPE } from '../event-types/event-type.field';
import type { EventCatalogue } from '../../events/event-catalogue';
import {
  BooleanField,
  FormatField,
  IdField,
  InstantField,
  IntegerField,
  ListField,
  TextField,
} from '../../http/requests/fields';
import { CustomHeaders, GivenHeader, GivenHeaders, HEADERS_TEXT, HeadersField, KeptHeader } from './custom-headers';
import { formatted } from '../../http/requests/kinds';
import { TARGET_URL_FORMAT } from './target-url';
import type { WebhookEndpoint } from './webhook-endpoint.entity';

const MOST_PER_SECOND = 1_000;
/** More than there are, since a caller may repeat some. */
const MOST_EVENT_TYPES = 100;
const MOST_DATE_FILTERS = 50;

export class WebhookEndpointCreate {
  @IdField({
    required: false,
    nullable: true,
    description: 'The organisation whose changes are sent; null or absent: your own changes.',
  })
  org_id?: string | null;

  @FormatField(TARGET_URL_FORMAT, {
    max: 2048,
    example: 'https://hooks.example.com/toolyard',
    description: '`https`, without user info and fragment, at an address that deliveries may go to.',
  })
  target_url: string;

  @TextField({ required: false, nullable: true, max: 2000, description: 'Empty when it is left out.' })
  description?: string | null;

  @ListField(EVENT_TYPE, {
    max: MOST_EVENT_TYPES,
    example: ['bundle.created', 'bundle.deleted'],
    description: 'See `GET /v1/webhooks/event-types`.',
  })
  event_types: string[];

  @BooleanField({ required: false, nullable: true, description: 'True when it is left out.' })
  is_active?: boolean | null;

  @HeadersField(GivenHeader, {
    required: false,
    nullable: true,
    example: { Authorization: 'Bearer 7c1d7b3e' },
    description: HEADERS_TEXT,
  })
  headers?: Record<string, string> | null;

  @IntegerField({
    required: false,
    nullable: true,
    min: 0,
    max: MOST_PER_SECOND,
    description: 'The maximum number of webhooks sent to it per second. Null, 0 or absent: no limit.',
  })
  rate_limit_per_second?: number | null;
}

export class WebhookEndpointUpdate {
  @FormatField(TARGET_URL_FORMAT, {
    required: false,
    nullable: true,
    max: 2048,
    description: 'Absent or null: unchanged.',
  })
  target_url?: string | null;

  @TextField({ required: false, nullable: true, max: 2000, description: 'Absent or null: unchanged; empty: cleared.' })
  description?: string | null;

  @BooleanField({ required: false, nullable: true, description: 'Absent or null: unchanged.' })
  is_active?: boolean | null;

  @ListField(EVENT_TYPE, {
    max: MOST_EVENT_TYPES,
    required: false,
    nullable: true,
    description: 'Absent or null: unchanged; empty: unsubscribed from everything.',
  })
  event_types?: string[] | null;

  @HeadersField(KeptHeader, {
    required: false,
    nullable: true,
    example: { Authorization: null, 'X-Team': 'pagers' },
    description: `Absent or null: unchanged; an object takes the place of all; empty: cleared. A null keeps the stored value of that name, so what was read can be sent back. ${HEADERS_TEXT}`,
  })
  headers?: GivenHeaders | null;

  @IntegerField({
    required: false,
    nullable: true,
    min: 0,
    max: MOST_PER_SECOND,
    description: 'Absent or null: unchanged; 0: no limit any more.',
  })
  rate_limit_per_second?: number | null;
}

export class WebhookEndpointQuery {
  @IdField({
    required: false,
    nullable: true,
    description: 'All endpoints of this organisation, without a cap. Empty or `null` counts as absent.',
  })
  org_id?: string;

  @BooleanField({ required: false })
  is_active?: boolean;

  @ListField(formatted('fhir-date-search'), {
    max: MOST_DATE_FILTERS,
    required: false,
    example: ['ge2026-03', 'lt2026-05'],
    description:
      'FHIR R4 date search on the creation time: `[prefix]value` with `eq ne gt ge lt le sa eb ap` (none: `eq`) and a value `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or date-time. A value stands for the whole span of its precision. Several parameters (50 at most) are joined by AND, values inside one (20 at most) by commas and OR.',
  })
  created_at?: string[];
}

/** A webhook endpoint with exactly the fields of the specification. */
export class WebhookEndpointOut {
  @IdField()
  id: string;

  @ApiProperty({
    example: 'https://hooks.example.com/toolyard',
    description: 'Where deliveries go. To a MEMBER, who may not change it, `?…` stands in place of its query.',
  })
  target_url: string;

  @ApiProperty()
  is_active: boolean;

  @ApiProperty()
  description: string;

  @ApiProperty({ type: 'array', items: EVENT_TYPE.schema, description: 'In catalogue order.' })
  event_types: EventType[];

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

/** The richer view of our own operations. */
export class WebhookEndpointDetailOut extends WebhookEndpointOut {
  @IdField({ nullable: true, description: 'Null: personal.' })
  org_id: string | null;

  @IdField({ description: 'Who created it; for a personal one, to whom it belongs.' })
  owner_id: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why the service disabled it; null when it did not.' })
  disabled_reason: string | null;

  @InstantField({ nullable: true })
  disabled_at: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'null' },
    example: { Authorization: null },
    description:
      'The names of the headers that are sent with each webhook. Their values are never shown again. A header that is no longer allowed is kept but not sent.',
  })
  headers: Record<string, null>;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null: no limit.' })
  rate_limit_per_second: number | null;
}

export class WebhookEndpointCreatedOut extends WebhookEndpointDetailOut {
  @ApiProperty({
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…',
    description: 'The key of the signatures (Standard Webhooks 1.0). Shown only here.',
  })
  secret: string;
}

/** A row as the service selects it: `ENDPOINT_COLUMNS`. */
export type WebhookEndpointRow = Pick<
  Columns<WebhookEndpoint>,
  | 'id'
  | 'org_id'
  | 'owner_id'
  | 'target_url'
  | 'encrypted_query'
  | 'description'
  | 'is_active'
  | 'event_types'
  | 'disabled_reason'
  | 'disabled_at'
  | 'created_at'
  | 'updated_at'
>;

/** A row with what only the richer view tells: `ENDPOINT_DETAIL_COLUMNS`. */
export type WebhookEndpointDetailRow = WebhookEndpointRow &
  Pick<Columns<WebhookEndpoint>, 'rate_limit_per_second' | 'encrypted_headers'>;

/**
 * @param targetUrl as the reader may see it
 * @param catalogue gives the event types their order
 */
export function toWebhookEndpoint(
  row: WebhookEndpointRow,
  targetUrl: string,
  catalogue: EventCatalogue,
): WebhookEndpointOut {
  return {
    id: row.id,
    target_url: targetUrl,
    is_active: row.is_active,
    description: row.description,
    event_types: catalogue.inOrder(row.event_types),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/**
 * @param targetUrl as the reader may see it
 * @param headers that the row holds encrypted
 * @param catalogue gives the event types their order
 */
export function toWebhookEndpointDetail(
  row: WebhookEndpointDetailRow,
  targetUrl: string,
  headers: CustomHeaders,
  catalogue: EventCatalogue,
): WebhookEndpointDetailOut {
  return {
    ...toWebhookEndpoint(row, targetUrl, catalogue),
    org_id: row.org_id,
    owner_id: row.owner_id,
    disabled_reason: row.disabled_reason,
    disabled_at: row.disabled_at?.toISOString() ?? null,
    headers: Object.fromEntries(Object.keys(headers).map((name) => [name, null])),
    rate_limit_per_second: row.rate_limit_per_second,
  };
}
