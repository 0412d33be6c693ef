import { CredentialOrigins } from './credential-origins';
import { CredentialSeal } from './credential-seal';
import { CredentialSecrets } from './credential-secrets';
import { CredentialStore } from './credential-store';
import { TokenRenewal } from './token-renewal';

export const CREDENTIAL_PROVIDERS = [CredentialSeal, CredentialStore, CredentialOrigins, CredentialSecrets, TokenRenewal];
