/** An authorization request is good, but nobody is signed in: the browser goes to the sign-in page first. */
export class SignInRequired extends Error {
  /** Read by the library: neither a defect, nor an error for the client. */
  readonly expose = true;
  readonly allow_redirect = false;
  readonly statusCode = 303;
  readonly error = 'login_required';

  constructor() {
    super('Nobody is signed in.');
    this.name = 'SignInRequired';
  }
}
