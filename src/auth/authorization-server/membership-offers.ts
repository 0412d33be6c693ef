import { Injectable } from '@nestjs/common';
import type { EndpointName } from '../resources';
import type { Session } from '../sessions/session';

/** A membership that waits for the person to accept it. */
export interface MembershipOffer {
  id: string;
  /** The person would be a member of what has this name. */
  name: string;
}

/** What the rooms with members know of such memberships. */
export interface OfferedMemberships {
  /** @returns what the directory of an owner offers a person; undefined: nothing that they have not answered */
  find(person: Session, orgId: string): Promise<MembershipOffer | undefined>;
  /** @throws DomainError if it cannot be accepted any more */
  accept(person: Session, requestId: string, id: string): Promise<unknown>;
}

/** @returns the owner of an endpoint that can have members; undefined: a person's, or there is none */
export type OwnerOfEndpoint = (endpoint: EndpointName) => Promise<string | undefined>;

/**
 * Offers a membership where a program asks for access to an endpoint of its owner, since without it the program gets
 * only what is public (contract, section 13.3).
 */
@Injectable()
export class MembershipOffers {
  private ownerOf: OwnerOfEndpoint = () => Promise.resolve(undefined);
  private memberships?: OfferedMemberships;

  /** Called at startup. */
  registerOwners(ownerOf: OwnerOfEndpoint): void {
    this.ownerOf = ownerOf;
  }

  /** Called at startup. */
  registerMemberships(memberships: OfferedMemberships): void {
    this.memberships = memberships;
  }

  /** @returns the first one of the owners of these endpoints */
  async find(person: Session, endpoints: readonly EndpointName[]): Promise<MembershipOffer | undefined> {
    for (const endpoint of endpoints) {
      const orgId = await this.ownerOf(endpoint);
      const offer = orgId === undefined ? undefined : await this.memberships?.find(person, orgId);
      if (offer) return offer;
    }
    return undefined;
  }

  /** @throws DomainError if it cannot be accepted any more */
  async accept(person: Session, requestId: string, { id }: MembershipOffer): Promise<void> {
    await this.memberships?.accept(person, requestId, id);
  }
}
