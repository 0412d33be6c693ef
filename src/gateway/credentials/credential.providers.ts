import { CredentialSeal } from './credential-seal';
import { CredentialStore } from './credential-store';

export const CREDENTIAL_PROVIDERS = [CredentialSeal, CredentialStore];
