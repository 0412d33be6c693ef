import type { EntityManager } from 'typeorm';
import type { Cause } from './audit/audit-trail';

/** A user's answer to a membership provisioned by a directory (contract, section 12.1). */
export type DirectoryAnswer = 'ACCEPTED' | 'OPTED_OUT';

/**
 * What organisations need from the directory that an identity provider pushes. Implemented by `scim/`, which this
 * module does not import, so that the dependency points from `scim/` to `organisations/` only.
 *
 * Every method is for a transaction that holds the lock of each organisation concerned (`lockOrganisation`).
 */
export abstract class Directory {
  /** @returns whether any organisation is provisioned: it has a SCIM token, or people in its directory */
  abstract isInUse(manager: EntityManager): Promise<boolean>;

  /** Creates the empty directory of a new organisation. */
  abstract open(manager: EntityManager, orgId: string): Promise<void>;

  /**
   * Stores a user's answer. A user who opts out may already be deleted from the directory; the opt-out must still apply
   * when they are pushed again.
   *
   * @returns whether the user is or was in the directory
   */
  abstract answer(manager: EntityManager, orgId: string, userId: string, answer: DirectoryAnswer): Promise<boolean>;

  /** Forgets a user's acceptance after an ADMIN removed them: if they are pushed again, they must accept again. */
  abstract forgetAcceptance(manager: EntityManager, orgId: string, userId: string): Promise<void>;

  /**
   * Updates the memberships of these users to match the directory.
   *
   * @param accounts user ids in any order, including users that are not in the directory
   * @throws LastOwnerError under the policy `refuse` (contract, section 7); the transaction must then be rolled back
   */
  abstract resolveRoles(
    manager: EntityManager,
    orgId: string,
    accounts: readonly string[],
    cause: Cause,
  ): Promise<void>;

  /** Resolves the roles of all users who have not answered yet: once a domain is proved, they may not need to. */
  abstract admitPending(manager: EntityManager, orgId: string, cause: Cause): Promise<void>;

  /** Removes an account that is being deleted from every directory and resolves the affected roles. */
  abstract detach(manager: EntityManager, userId: string, cause: Cause): Promise<void>;

  /**
   * Removes a batch of entries of a deleted organisation. Runs in the background, without the organisation's lock.
   *
   * @param atMost batch size
   * @returns the accounts of these entries
   */
  abstract removeEntries(manager: EntityManager, orgId: string, atMost: number): Promise<string[]>;
}
