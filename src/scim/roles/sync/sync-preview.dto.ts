import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, Field, ListField, ObjectField, TextField } from '../../../http/requests/fields';
import { closed, id } from '../../../http/requests/kinds';
import type { Page } from '../../../http/requests/page';
import { type Role, ROLES } from '../../../organisations/members/role';
import { GROUP_NAME } from '../mappings/role-mapping.dto';
import type { ScimSettings } from '../resolution/role-resolution';
import { SyncChangeOut, SyncCountsOut } from './sync-run.dto';
import { DEFAULT_ROLES, LAST_OWNER_POLICIES } from '../settings/scim-settings.entity';

const MAX_SHOWN = 1_000;
export class ProposedSettings {
  @EnumField(DEFAULT_ROLES, { required: false, nullable: true })
  default_role?: Exclude<Role, 'OWNER'> | null;

  @BooleanField({ required: false })
  allow_owner_mapping?: boolean;

  @EnumField(LAST_OWNER_POLICIES, { required: false })
  last_owner_policy?: ScimSettings['lastOwnerPolicy'];
}

class ProposedUpdate {
  @Field(id(), {})
  id: string;

  @EnumField(ROLES)
  role: Role;
}

class ProposedCreation {
  @Field(id(), { required: false, nullable: true })
  group_id?: string | null;

  @TextField({ ...GROUP_NAME, required: false, nullable: true })
  group_name?: string | null;

  @EnumField(ROLES)
  role: Role;
}

export class ProposedMappings {
  @ListField(id(), { max: MAX_SHOWN, required: false })
  delete?: string[];

  @ListField(closed(ProposedUpdate), { max: MAX_SHOWN, required: false })
  update?: ProposedUpdate[];

  @ListField(closed(ProposedCreation), { max: MAX_SHOWN, required: false })
  create?: ProposedCreation[];
}

/** Proposed changes. Unknown fields are errors at any depth. */
export class SyncProposal {
  @ObjectField(ProposedSettings, {
    required: false,
    nullable: true,
    example: { default_role: null },
    description: 'Proposed settings; omitted ones keep their value.',
  })
  settings?: ProposedSettings | null;

  @ObjectField(ProposedMappings, {
    required: false,
    nullable: true,
    example: { create: [{ group_name: 'Platform engineers', role: 'ADMIN' }] },
    description:
      'Role mappings to delete, update and create, in this order and after the settings; the rules are those of the actual operations.',
  })
  role_mappings?: ProposedMappings | null;
}

export class SyncPreviewOut extends SyncCountsOut {
  @ApiProperty({ type: 'integer', description: 'The current number of members with a role.' })
  members: number;

  @ApiProperty({
    description:
      'Whether the sync would be rejected, because the last OWNER would lose the role under the policy `refuse`.',
  })
  would_be_refused: boolean;

  @ApiProperty({
    description:
      'Whether more than 20 % of the members, and at least five, would be demoted or removed: a change of settings or mappings that does so needs `confirm=true`.',
  })
  needs_confirmation: boolean;

  @ApiProperty({
    type: [SyncChangeOut],
    description:
      'One page of the changes, ordered by user id; the next page is in `Link`, to be requested with the same body. `mapping_id` is null if the mapping is only proposed.',
  })
  changes: SyncChangeOut[];
}

/** A preview whose changes are not in output form yet. */
export type SyncPreviewResult = Omit<SyncPreviewOut, 'changes'> & { changes: Page<SyncChangeOut> };
