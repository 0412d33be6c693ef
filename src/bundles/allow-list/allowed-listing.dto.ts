import { ApiProperty } from '@nestjs/swagger';
import { EnumField, IdField, TextField } from '../../http/requests/fields';
import { PageQuery } from '../../http/requests/page';
import { ALLOWANCE_RULES, type AllowanceRule } from '../listings/listing-allowance.dto';

export class AllowedListingsQuery extends PageQuery {
  @TextField({ required: false, max: 200, description: 'A part of the name or the title, in any case.' })
  search?: string;

  @EnumField(ALLOWANCE_RULES, { required: false, description: 'Only what is allowed by this rule, among others.' })
  rule?: AllowanceRule;
}

/** A bundle because of which a listing is allowed. */
class AllowedByBundleOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'Incident response' })
  name: string;
}

/** A listing in the allow list of an organisation, and why. */
export class AllowedListingOut {
  @IdField()
  listing_id: string;

  @ApiProperty({ example: 'io.github.acme/weather' })
  name: string;

  @ApiProperty({ example: 'Weather' })
  title: string;

  @ApiProperty({
    enum: ALLOWANCE_RULES,
    isArray: true,
    description:
      'All that apply. `own_listing`: it is one of the organisation. `bundle`: it is enabled in a bundle of the organisation. `deployment`: it is enabled in a version that a deployment runs.',
  })
  rules: AllowanceRule[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Bundles of the organisation in which it is enabled.' })
  bundle_count: number;

  @ApiProperty({ type: [AllowedByBundleOut], description: 'At most five of them.' })
  bundles: AllowedByBundleOut[];

  @ApiProperty({
    type: [AllowedByBundleOut],
    description: 'At most five bundles of which a deployment runs a version with it.',
  })
  deployed_bundles: AllowedByBundleOut[];
}

/** A row as the statement selects it; its columns are named as the fields. */
export type AllowedListingRow = Pick<
  AllowedListingOut,
  'listing_id' | 'name' | 'title' | 'rules' | 'bundle_count' | 'bundles' | 'deployed_bundles'
>;

export function toAllowedListing(row: AllowedListingRow): AllowedListingOut {
  return {
    listing_id: row.listing_id,
    name: row.name,
    title: row.title,
    rules: row.rules,
    bundle_count: row.bundle_count,
    bundles: row.bundles,
    deployed_bundles: row.deployed_bundles,
  };
}
