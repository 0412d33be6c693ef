import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField } from '../http/fields';

export class BundleEntryAdd {
  @IdField({ description: 'A listing that you may see and that is not in the bundle yet.' })
  listing_id: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    nullable: true,
    minimum: 0,
    description: 'From 0; what stands there and after it moves on by one. At the end when it is left out.',
  })
  position?: number | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    selfRequired: false,
    nullable: true,
    example: { env: { REGION: 'eu' } },
    description: 'Settings for this listing in this bundle; no secrets. Empty when it is left out.',
  })
  config?: Record<string, unknown> | null;
}

export class BundleEntryOut {
  @IdField()
  id: string;

  @IdField({ nullable: true, description: 'Null when the listing was deleted.' })
  listing_id: string | null;

  @ApiProperty({ example: 'io.github.acme/weather' })
  listing_name: string;

  @ApiProperty({ type: 'integer' })
  position: number;

  @ApiProperty()
  is_enabled: boolean;

  @ApiProperty({ description: 'False when the listing was archived or deleted; the entry stays.' })
  is_available: boolean;

  @ApiProperty({ type: 'object', additionalProperties: true })
  config: object;

  @InstantField()
  created_at: string;

  @InstantField()
  updated_at: string;
}

/** A row as the service selects it. */
export interface BundleEntryRow extends Omit<BundleEntryOut, 'created_at' | 'updated_at'> {
  created_at: Date;
  updated_at: Date;
}

export function toBundleEntry(row: BundleEntryRow): BundleEntryOut {
  return {
    id: row.id,
    listing_id: row.listing_id,
    listing_name: row.listing_name,
    position: row.position,
    is_enabled: row.is_enabled,
    is_available: row.is_available,
    config: row.config,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
