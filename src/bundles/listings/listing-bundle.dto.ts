import { ApiProperty } from '@nestjs/swagger';
import { IdField } from '../../http/requests/fields';
import { BundleOut, type BundleRow, toBundle } from '../bundle.dto';

/** A bundle that has a certain listing. */
export class ListingBundleOut extends BundleOut {
  @IdField({ description: 'The entry with the listing.' })
  entry_id: string;

  @ApiProperty({ description: 'Whether the entry is enabled.' })
  is_enabled: boolean;
}

export type ListingBundleRow = BundleRow & Pick<ListingBundleOut, 'entry_id' | 'is_enabled'>;

export function toListingBundle(row: ListingBundleRow): ListingBundleOut {
  return { ...toBundle(row), entry_id: row.entry_id, is_enabled: row.is_enabled };
}
