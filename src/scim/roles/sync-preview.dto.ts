import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '../../http/requests/page';
import { type Role, ROLES } from '../../organisations/members/role';
import { GROUP_NAME } from './role-mapping.dto';
import type { ScimSettings } from './role-resolution';
import { SyncChangeOut, SyncCountsOut } from './sync-run.dto';

const MOST = 1_000;
const ROLE = { type: 'string' as const, enum: [...ROLES] };
const ID = { type: 'string' as const, format: 'uuid' };

/** Inline, as only the body itself is closed to unknown fields by the way. */
const closed = (required: string[], properties: Record<string, object>) => ({
  type: 'object' as const,
  additionalProperties: false,
  required,
  properties,
});

export interface ProposedSettings {
  default_role?: Exclude<Role, 'OWNER'> | null;
  allow_owner_mapping?: boolean;
  last_owner_policy?: ScimSettings['lastOwnerPolicy'];
}

export interface ProposedMappings {
  create?: { group_id?: string | null; group_name?: string | null; role: Role }[];
  update?: { id: string; role: Role }[];
  delete?: string[];
}

/** Changes that somebody has in mind. */
export class SyncProposal {
  @ApiProperty({
    ...closed([], {
      default_role: { type: ['string', 'null'], enum: ['MEMBER', 'ADMIN', null] },
      allow_owner_mapping: { type: 'boolean' },
      last_owner_policy: { type: 'string', enum: ['retain', 'refuse'] },
    }),
    selfRequired: false,
    nullable: true,
    example: { default_role: null },
    description: 'Settings that would be others; those that are left out stay.',
  })
  settings?: ProposedSettings | null;

  @ApiProperty({
    ...closed([], {
      delete: { type: 'array', maxItems: MOST, items: ID },
      update: { type: 'array', maxItems: MOST, items: closed(['id', 'role'], { id: ID, role: ROLE }) },
      create: {
        type: 'array',
        maxItems: MOST,
        items: closed(['role'], {
          group_id: { ...ID, type: ['string', 'null'] },
          group_name: { ...GROUP_NAME, type: ['string', 'null'] },
          role: ROLE,
        }),
      },
    }),
    selfRequired: false,
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
