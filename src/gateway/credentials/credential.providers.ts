import { CredentialOrigins } from './credential-origins';
import { CredentialSeal } from './credential-seal';
import { CredentialSecrets } from './credential-secrets';
import { CredentialStore } from './credential-store';
import { CredentialTargets } from './credential-targets';
import { CredentialValueChecks } from './credential-values';
import { CredentialsService } from './credentials.service';
import { CredentialsOfDeletedOwners } from './credentials-of-deleted-owners';
import { EntryNeeds } from './entry-needs.service';
import { CredentialsWithoutAccess } from './credentials-without-access';

export const CREDENTIAL_PROVIDERS = [
  CredentialSeal,
  CredentialStore,
  CredentialOrigins,
  CredentialSecrets,
  CredentialTargets,
  CredentialValueChecks,
  CredentialsService,
  CredentialsOfDeletedOwners,
  EntryNeeds,
  CredentialsWithoutAccess,
];
