/** An authorization request is good, but a person has to sign in first, on the page for that. */
export class SignInRequired extends Error {
  /** Read by the library: neither a defect, nor an error for the client. */
  readonly expose = true;
  readonly allow_redirect = false;
  readonly statusCode = 303;
  readonly error = 'login_required';

  /** @param isAgain somebody is signed in, but too long ago for this request */
  constructor(readonly isAgain: boolean) {
    super('A person has to sign in.');
    this.name = 'SignInRequired';
  }
}
