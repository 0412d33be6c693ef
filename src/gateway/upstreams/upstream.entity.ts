import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  Unique,
} from 'typeorm';
import { Credential } from '../credentials/credential.entity';
import type { JsonObject } from '../protocol/json-rpc';
import type { Era } from '../protocol/revisions';
import type { ServerInfo } from '../protocol/translate';
import type { OmittedDefinition } from '../protocol/definition-list';
import type { CredentialPlacements } from '../protocol/credential-placements';

/**
 * A remote MCP server at an address, with the headers that everyone sends there: what is known of it, shared by all
 * bundles that send it the same credential, or none. Contains no secrets.
 */
@Entity('upstreams', { comment: 'owner: gateway' })
@Unique('upstreams_digest_key', ['digest'])
@Index('upstreams_due_at_idx', ['dueAt'])
@Index('upstreams_used_at_idx', ['usedAt'])
@Index('upstreams_down_since_idx', ['downSince'], { where: 'down_since IS NOT NULL' })
export class UpstreamRow {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'upstreams_pkey' })
  id: string;

  /** SHA-256 of its address and headers, and its credential. */
  @Column('bytea')
  digest: Buffer;

  @Column('text')
  url: string;

  /** Name → value. */
  @Column('jsonb')
  headers: Readonly<Record<string, string>>;

  @Index('upstreams_credential_id_idx')
  @Column('uuid', { name: 'credential_id', nullable: true })
  credentialId: string | null;

  @ManyToOne(() => Credential, { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'credential_id', foreignKeyConstraintName: 'upstreams_credential_id_fkey' })
  credential: Relation<Credential> | null;

  /** Where the values of the credential go. */
  @Column('jsonb', { default: {} })
  fills: CredentialPlacements;

  /** The modern revision that it speaks; empty: it does not speak the era; null: not known. The same for `legacy`. */
  @Column('text', { nullable: true })
  modern: string | null;

  /** When that was found out. */
  @Column('timestamp with time zone', { name: 'modern_at', precision: 3, nullable: true })
  modernAt: Date | null;

  @Column('text', { nullable: true })
  legacy: string | null;

  @Column('timestamp with time zone', { name: 'legacy_at', precision: 3, nullable: true })
  legacyAt: Date | null;

  /** The era in which alone it lists something, though it speaks both; null: there is none. */
  @Column('text', { name: 'only_era', nullable: true })
  onlyEra: Era | null;

  @Column('jsonb', { name: 'server_info', nullable: true })
  serverInfo: ServerInfo | null;

  @Column('jsonb', { nullable: true })
  capabilities: JsonObject | null;

  @Column('text', { nullable: true })
  instructions: string | null;

  /** When its lists were last read. */
  @Column('timestamp with time zone', { name: 'listed_at', precision: 3, nullable: true })
  listedAt: Date | null;

  /** Why they could not be read the last time; null: they could. */
  @Column('text', { name: 'list_error', nullable: true })
  listError: string | null;

  /** Since when it has not answered; null: it did the last time, or has refused us. */
  @Column('timestamp with time zone', { name: 'down_since', precision: 3, nullable: true })
  downSince: Date | null;

  /** What it lists that cannot be offered. */
  @Column('jsonb', { name: 'left_out', default: [] })
  leftOut: readonly OmittedDefinition[];

  /** For how long it says that its lists are fresh, in milliseconds. */
  @Column('integer', { name: 'ttl_ms', nullable: true })
  ttlMs: number | null;

  /** When a bundle last used it; noted at most once a minute. */
  @Column('timestamp with time zone', { name: 'used_at', precision: 3, default: () => 'now()' })
  usedAt: Date;

  /** When its lists are read next. */
  @Column('timestamp with time zone', { name: 'due_at', precision: 3, default: () => 'now()' })
  dueAt: Date;

  /** Until when a process has claimed it to read its lists. */
  @Column('timestamp with time zone', { name: 'claimed_until', precision: 3, nullable: true })
  claimedUntil: Date | null;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
