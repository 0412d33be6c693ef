import type { EntityManager } from 'typeorm';

/** What is known of the verified address of an identity without an account. */
export interface AddressState {
  /** An open account that someone uses has it. */
  isTaken: boolean;
  /** Provisioning made an account for it that no one has claimed. */
  isWaiting: boolean;
}

/**
 * Decides whether an identity without an account gets one: throws if not.
 *
 * @param state undefined: the identity has no verified address
 */
export type Admission = (state: AddressState | undefined, manager: EntityManager) => Promise<void>;
