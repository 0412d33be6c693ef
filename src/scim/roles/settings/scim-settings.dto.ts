import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, InstantField } from '../../../http/requests/fields';
import { type Role, ROLES } from '../../../organisations/members/role';
import { DEFAULT_ROLES, LAST_OWNER_POLICIES, type LastOwnerPolicy } from './scim-settings.entity';

const DEFAULT_ROLE =
  'The role of users who are active in the directory and in no mapped group; null: no access. Never OWNER.';
const ALLOW_OWNER_MAPPING =
  'Whether mappings to OWNER can be created and take effect. Anyone with a SCIM token of the organisation can then make a person OWNER, so only an OWNER can change this.';
const LAST_OWNER_POLICY =
  'What happens if the directory would leave the organisation without an active OWNER. `retain`: one of them stays OWNER, marked as retained, until there is another. `refuse`: the change is rejected.';

/** All three are required: a missing one would have to be guessed. */
export class ScimSettingsPut {
  @EnumField(DEFAULT_ROLES, { nullable: true, description: DEFAULT_ROLE })
  default_role: Exclude<Role, 'OWNER'> | null;

  @BooleanField({ description: ALLOW_OWNER_MAPPING })
  allow_owner_mapping: boolean;

  @EnumField(LAST_OWNER_POLICIES, { description: LAST_OWNER_POLICY })
  last_owner_policy: LastOwnerPolicy;
}

export class ScimSettingsOut {
  @ApiProperty({ enum: [...ROLES, null], type: 'string', nullable: true, description: DEFAULT_ROLE })
  default_role: Role | null;

  @ApiProperty({ description: ALLOW_OWNER_MAPPING })
  allow_owner_mapping: boolean;

  @ApiProperty({ enum: LAST_OWNER_POLICIES, description: LAST_OWNER_POLICY })
  last_owner_policy: LastOwnerPolicy;

  @ApiProperty({
    format: 'uri',
    example: 'https://tools.example.com/v1/organisations/019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10/scim/v2',
    description: 'The URL to paste into the identity provider, together with a SCIM token.',
  })
  base_url: string;

  @InstantField({
    nullable: true,
    description: 'When an identity provider last called; null: never, as far as is known.',
  })
  last_contact_at: string | null;

  @ApiProperty({
    description:
      'Whether there are SCIM tokens, expired ones included, but no call for 24 hours, so that roles may be out of date. This is a hint: a provider that sends only changes does not call while nothing changes.',
  })
  is_stale: boolean;
}
