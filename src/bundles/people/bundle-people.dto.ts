import { ApiProperty } from '@nestjs/swagger';
import type { Columns } from '../../database/columns';
import { IdField, InstantField } from '../../http/requests/fields';
import type { BundleEditor } from './bundle-editor.entity';
import type { BundleFollow } from './bundle-follow.entity';

/** A person who follows a bundle. Without their address, since followers may be strangers to the bundle's people. */
export class BundleFollowerOut {
  @IdField()
  user_id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'Bob',
    description: 'Null also for a person who is in none of your organisations.',
  })
  name: string | null;

  @InstantField({ description: 'Since when.' })
  followed_at: string;
}

/** An editor. Only the id, if the caller shares no organisation with them. */
export class BundleEditorOut {
  @IdField()
  user_id: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'bob@example.com',
    description: 'Null also for a person who is in none of your organisations.',
  })
  email: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: 'Bob', description: 'Null in the same cases.' })
  name: string | null;

  @ApiProperty({ description: 'False while they are not a member of the organisation of the bundle.' })
  may_modify: boolean;

  @InstantField()
  created_at: string;
}

/** Rows as the services select them. */
export type BundleFollowerRow = Pick<BundleFollowerOut, 'user_id' | 'name'> & {
  followed_at: BundleFollow['createdAt'];
};

export type BundleEditorRow = Omit<BundleEditorOut, 'created_at'> & Pick<Columns<BundleEditor>, 'created_at'>;

export function toBundleFollower(row: BundleFollowerRow): BundleFollowerOut {
  return { user_id: row.user_id, name: row.name, followed_at: row.followed_at.toISOString() };
}

export function toBundleEditor(row: BundleEditorRow): BundleEditorOut {
  return {
    user_id: row.user_id,
    email: row.email,
    name: row.name,
    may_modify: row.may_modify,
    created_at: row.created_at.toISOString(),
  };
}
