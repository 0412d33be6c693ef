import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, EnumField, Field, ListField, ObjectField, TextField } from '../../http/requests/fields';
import { closed, id } from '../../http/requests/kinds';
import type { Page } from '../../http/requests/page';
import { type Role, ROLES } from '../../organisations/members/role';
import { GROUP_NAME } from './role-mapping.dto';
import type { ScimSettings } from './role-resolution';
import { SyncChangeOut, SyncCountsOut } from './sync-run.dto';

const MOST = 1_000;
export class ProposedSettings {
  @EnumField(['MEMBER', 'ADMIN'], { required: false, nullable: true })
  default_role?: Exclude<Role, 'OWNER'> | null;

  @BooleanField({ required: false })
  allow_owner_mapping?: boolean;

  @EnumField(['retain', 'refuse'], { required: false })
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
  @ListField(id(), { max: MOST, required: false })
  delete?: string[];

  @ListField(closed(ProposedUpdate), { max: MOST, required: false })
  update?: ProposedUpdate[];

  @ListField(closed(ProposedCreation), { max: MOST, required: false })
  create?: ProposedCreation[];
}

/** Changes that somebody has in mind. Nothing of it may be unknown, at whatever depth. */
export class SyncProposal {
  @ObjectField(ProposedSettings, {
    required: false,
    nullable: true,
    example: { default_role: null },
    description: 'Proposed settings; settings that are left out keep their value.',
  })
  settings?: ProposedSettings | null;

  @ObjectField(ProposedMappings, {
    required: false,
    nullable: true,
    example: { create: [{ group_name: 'Platform engineers', role: 'ADMIN' }] },
    description:
      'Role mappings that would be deleted, updated and created, in this order and after the settings; by the same rules as the operations that do so.',
  })
  role_mappings?: ProposedMappings | null;
}

export class SyncPreviewOut extends SyncCountsOut {
  @ApiProperty({ type: 'integer', description: 'Members of the organisation with a role now.' })
  members: number;

  @ApiProperty({
    description:
      'Whether the last OWNER would be among those who lose the role under the policy `refuse`, so that it would not be done.',
  })
  would_be_refused: boolean;

  @ApiProperty({
    description:
      'Whether more than 20 % of the members, five at least, would be demoted or removed: a change of settings or mappings that does so needs `confirm=true`.',
  })
  needs_confirmation: boolean;

  @ApiProperty({
    type: [SyncChangeOut],
    description:
      'One page of the changes, by user id; the next one is in `Link`, to be asked for with the same body. `mapping_id` is null where the mapping is only proposed.',
  })
  changes: SyncChangeOut[];
}

/** A preview whose changes have not been put into the answer's form yet. */
export type SyncPreviewResult = Omit<SyncPreviewOut, 'changes'> & { changes: Page<SyncChangeOut> };
