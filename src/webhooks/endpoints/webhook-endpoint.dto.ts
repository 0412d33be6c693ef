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
import {
  CustomHeaders,
  HEADERS_TEXT,
  HeadersField,
  HeaderUpdates,
  NewHeader,
  UpdatedHeader,
} from '../sending/custom-headers';
import { formatted } from '../../http/requests/kinds';
import { TARGET_URL_FORMAT } from '../sending/target-url';
import type { WebhookEndpoint } from './webhook-endpoint.entity';

const MAX_PER_SECOND = 1_000;
/** More than exist, because a caller may repeat some. */
const MAX_EVENT_TYPES = 100;
const MAX_DATE_FILTERS = 50;

export class WebhookEndpointCreate {
  @IdField({
    required: false,
    nullable: true,
    description: 'The organisation whose events are sent. Null or absent: a personal endpoint for your own events.',
  })
  org_id?: string | null;

  @FormatField(TARGET_URL_FORMAT, {
    max: 2048,
    example: 'https://hooks.example.com/toolyard',
    description: 'An `https` URL without user info or fragment, whose host deliveries are allowed to reach.',
  })
  target_url: string;

  @TextField({ required: false, nullable: true, max: 2000, description: 'Default: empty.' })
  description?: string | null;

  @ListField(EVENT_TYPE, {
    max: MAX_EVENT_TYPES,
    example: ['bundle.created', 'bundle.deleted'],
    description: 'See `GET /v1/webhooks/event-types`.',
  })
  event_types: string[];

  @BooleanField({ required: false, nullable: true, description: 'Default: true.' })
  is_active?: boolean | null;

  @HeadersField(NewHeader, {
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
    max: MAX_PER_SECOND,
    description: 'The maximum number of webhooks sent to the endpoint per second. Null, 0 or absent: no limit.',
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

  @TextField({ required: false, nullable: true, max: 2000, description: 'Absent or null: unchanged; empty: clear.' })
  description?: string | null;

  @BooleanField({ required: false, nullable: true, description: 'Absent or null: unchanged.' })
  is_active?: boolean | null;

  @ListField(EVENT_TYPE, {
    max: MAX_EVENT_TYPES,
    required: false,
    nullable: true,
    description: 'Absent or null: unchanged; empty: unsubscribe from everything.',
  })
  event_types?: string[] | null;

  @HeadersField(UpdatedHeader, {
    required: false,
    nullable: true,
    example: { Authorization: null, 'X-Team': 'pagers' },
    description: `Absent or null: unchanged. An object replaces all headers; an empty one removes them. A null value keeps the stored value of that header, so a response can be sent back as it is. ${HEADERS_TEXT}`,
  })
  headers?: HeaderUpdates | null;

  @IntegerField({
    required: false,
    nullable: true,
    min: 0,
    max: MAX_PER_SECOND,
    description: 'Absent or null: unchanged; 0: remove the limit.',
  })
  rate_limit_per_second?: number | null;
}

export class WebhookEndpointQuery {
  @IdField({
    required: false,
    nullable: true,
    description: 'All endpoints of this organisation, without a cap. Empty or `null` is the same as absent.',
  })
  org_id?: string;

  @BooleanField({ required: false })
  is_active?: boolean;

  @ListField(formatted('fhir-date-search'), {
    max: MAX_DATE_FILTERS,
    required: false,
    example: ['ge2026-03', 'lt2026-05'],
    description:
      'FHIR R4 date search on the creation time: `[prefix]value` with `eq ne gt ge lt le sa eb ap` (default `eq`) and a value `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or date-time: `YYYY-MM-DDThh:mm`, then seconds, a fraction and an offset as needed. Without an offset it is UTC. A value covers the whole period of its precision. Several parameters (at most 50) are combined with AND, comma-separated values in one parameter (at most 20) with OR.',
  })
  created_at?: string[];
}

/** A webhook endpoint with exactly the fields of the specification. */
export class WebhookEndpointOut {
  @IdField()
  id: string;

  @ApiProperty({
    example: 'https://hooks.example.com/toolyard',
    description:
      'The URL that receives the deliveries. For MEMBERs, who cannot change the endpoint, its query is replaced by `?…`.',
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

/** The detailed view, with fields that the specification does not have. */
export class WebhookEndpointDetailOut extends WebhookEndpointOut {
  @IdField({ nullable: true, description: 'The owning organisation; null for a personal endpoint.' })
  org_id: string | null;

  @IdField({ description: 'The user who created it, and who owns it if it is personal.' })
  owner_id: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why the service disabled it; null if it did not.' })
  disabled_reason: string | null;

  @InstantField({ nullable: true })
  disabled_at: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'null' },
    example: { Authorization: null },
    description:
      'The names of the headers sent with each webhook. Values are never shown again. A header that is no longer allowed is kept but not sent.',
  })
  headers: Record<string, null>;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null if there is no limit.' })
  rate_limit_per_second: number | null;
}

export class WebhookEndpointCreatedOut extends WebhookEndpointDetailOut {
  @ApiProperty({
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…',
    description: 'The signing key (Standard Webhooks 1.0). Shown only in this response.',
  })
  secret: string;
}

/** A row with `ENDPOINT_COLUMNS`. */
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

/** A row with `ENDPOINT_DETAIL_COLUMNS`. */
export type WebhookEndpointDetailRow = WebhookEndpointRow &
  Pick<Columns<WebhookEndpoint>, 'rate_limit_per_second' | 'encrypted_headers'>;

/**
 * @param targetUrl the address, masked if the reader may not see its query
 * @param catalogue determines the order of the event types
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
 * @param targetUrl the address, masked if the reader may not see its query
 * @param headers the decrypted headers of the row
 * @param catalogue determines the order of the event types
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
