import type { JWK } from 'jose';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A key of the own issuer. The private part is encrypted with `SECRETS_KEY`, so that a dump signs nothing (ADR 27). */
@Entity('signing_keys', { comment: 'owner: auth' })
@Check('signing_keys_private_check', '(encrypted_private_jwk IS NULL) = (signs_from IS NULL)')
@Check('signing_keys_public_check', 'public_jwk IS NOT NULL OR (is_imported AND signs_from IS NULL)')
export class StoredSigningKey {
  /** The JWK thumbprint (RFC 7638). */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'signing_keys_pkey' })
  kid: string;

  /** As published in the JWKS. Null: the key has ended, and the row prevents another import of its file. */
  @Column('jsonb', { name: 'public_jwk', nullable: true })
  publicJwk: JWK | null;

  /** Null: it verifies, but does not sign. */
  @Column('bytea', { name: 'encrypted_private_jwk', nullable: true })
  encryptedPrivateJwk: Buffer | null;

  /** Whether it is from `DATA_DIR/signing-key.json`, where the first release kept it. */
  @Column('boolean', { name: 'is_imported', default: false })
  isImported: boolean;

  /** When it was published. */
  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When it starts to sign; null: never. */
  @Column('timestamp with time zone', { name: 'signs_from', precision: 3, nullable: true })
  signsFrom: Date | null;
}
