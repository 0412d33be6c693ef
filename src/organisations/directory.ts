import type { EntityManager } from 'typeorm';
import type { Cause } from './audit/audit-trail';

/** What a person says to the membership that a directory gives them (contract, section 12.1). */
export type DirectoryAnswer = 'ACCEPTED' | 'OPTED_OUT';

/**
 * What organisations ask of the directory that an identity provider pushes. `scim/` implements it, and nothing here
 * imports that: this is how the arrow points from `scim/` to `organisations/` and not back.
 *
 * Every method is for a transaction that holds the lock of each organisation concerned (`lockOrganisation`).
 */
export abstract class Directory {
  /** Gives a new organisation its empty directory. */
  abstract open(manager: EntityManager, orgId: string): Promise<void>;

  /**
   * Keeps the answer of a person. Who opts out may have been deleted from the directory already; that must count when they
   * are pushed again.
   *
   * @returns whether the directory has them, or had
   */
  abstract answer(manager: EntityManager, orgId: string, userId: string, answer: DirectoryAnswer): Promise<boolean>;

  /** Forgets that a person agreed, as an ADMIN has removed them: a directory that names them again asks them again. */
  abstract forgetAcceptance(manager: EntityManager, orgId: string, userId: string): Promise<void>;

  /**
   * Brings the memberships of these people to what the directory says of them.
   *
   * @param accounts their ids, in any order; people whom the directory does not have are looked at too
   * @throws LastOwnerError under the policy `refuse` (contract, section 7); the transaction must not be committed then
   */
  abstract resolveRoles(
    manager: EntityManager,
    orgId: string,
    accounts: readonly string[],
    cause: Cause,
  ): Promise<void>;

  /** The same for all who have not answered yet: after a domain was proved they may need no answer. */
  abstract admitPending(manager: EntityManager, orgId: string, cause: Cause): Promise<void>;

  /** Takes an account that is being deleted out of every directory, and resolves the roles that follow. */
  abstract detach(manager: EntityManager, userId: string, cause: Cause): Promise<void>;

  /**
   * Removes some entries of an organisation that was deleted; in the background, so without its lock.
   *
   * @param atMost how many go
   * @returns the accounts of these entries
   */
  abstract removeEntries(manager: EntityManager, orgId: string, atMost: number): Promise<string[]>;
}
