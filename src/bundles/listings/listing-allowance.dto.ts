import { ApiProperty } from '@nestjs/swagger';
import { IdField } from '../../http/requests/fields';

/** Why the allow list of an organisation has a listing. */
export const ALLOWANCE_RULES = ['own_listing', 'bundle', 'deployment'] as const;
export type AllowanceRule = (typeof ALLOWANCE_RULES)[number];

class AllowingBundleOut {
  @IdField()
  id: string;

  @ApiProperty({ example: 'Incident response' })
  name: string;
}

/** Whether one organisation allows a listing. */
export class ListingAllowanceOut {
  @IdField()
  org_id: string;

  @ApiProperty({ example: 'Acme' })
  organisation_name: string;

  @ApiProperty({
    description:
      'Whether it is in the allow list of the organisation (`managed-settings`), as far as that can name it, which its report says.',
  })
  is_allowed: boolean;

  @ApiProperty({
    enum: ALLOWANCE_RULES,
    nullable: true,
    description:
      'The first that applies. `own_listing`: it is one of the organisation. `bundle`: it is enabled in a bundle of the organisation. `deployment`: it is enabled in a version that a deployment runs. Null: none.',
  })
  rule: AllowanceRule | null;

  @ApiProperty({ type: [AllowingBundleOut], description: 'At most five bundles because of which it is allowed.' })
  bundles: AllowingBundleOut[];
}

export type AllowanceRow = Pick<ListingAllowanceOut, 'org_id' | 'rule' | 'bundles'>;

/** @param row undefined: the organisation cannot have the listing, whatever it approves */
export function toListingAllowance(
  { id, name }: { id: string; name: string },
  { rule, bundles }: Pick<AllowanceRow, 'rule' | 'bundles'> = { rule: null, bundles: [] },
): ListingAllowanceOut {
  return { org_id: id, organisation_name: name, is_allowed: rule !== null, rule, bundles };
}
