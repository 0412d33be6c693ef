import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Environment } from '../../config/environment';
import type { Html } from '../../pages/html';

/** A page that offers to sign in. */
export interface SignInOffer {
  request: Request;
  response: Response;
  /** Where to go on afterwards: a path of ours. */
  returnTo: string;
}

/** A way to sign in besides a password, such as a company's identity provider. */
export interface WayToSignIn {
  /** Lower ones come first. */
  order: number;
  /** @returns its part of the page: a heading is not needed, a form or a link is; undefined while it is not offered */
  show: (offer: SignInOffer) => Html | undefined | Promise<Html | undefined>;
  /** A script of ours that it needs, from `pageAsset`. */
  script?: string;
}

/** What the page for signing in offers. Rooms register their ways at startup. */
@Injectable()
export class WaysToSignIn {
  private ways: readonly WayToSignIn[] = [];
  /** Whether people sign in here with a password; a company can turn that off. */
  hasPasswords: boolean;

  constructor({ externalIssuer }: Environment) {
    // The accounts of a foreign issuer have their passwords there.
    this.hasPasswords = externalIssuer === undefined;
  }

  register(...ways: readonly WayToSignIn[]): void {
    this.ways = [...this.ways, ...ways].toSorted((a, b) => a.order - b.order);
  }

  /** Called at startup if `PASSWORD_SIGN_IN` is false. */
  withoutPasswords(): void {
    this.hasPasswords = false;
  }

  get script(): string | undefined {
    return this.ways.find(({ script }) => script !== undefined)?.script;
  }

  /** @returns the parts of the page, in order */
  async show(offer: SignInOffer): Promise<Html[]> {
    const parts = await Promise.all(this.ways.map(async ({ show }) => show(offer)));
    return parts.filter((part) => part !== undefined);
  }
}
