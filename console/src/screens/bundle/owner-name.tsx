import { useSignedIn } from '../../api/me';
import type { Bundle } from '../../api/schema';
import { OtherText } from '../../ui/other-text';
import { organisationOf, ownershipOf } from './bundle-roles';
import { bundleWords } from './words';

/** Whose a bundle is, in words. */
export function OwnerName({ bundle }: { bundle: Bundle }) {
  const me = useSignedIn();
  const ownership = ownershipOf(bundle, me);
  if (ownership === 'organisation') return <OtherText>{organisationOf(bundle, me)?.name}</OtherText>;
  const words = {
    own: bundleWords.ownedByYou,
    'other-person': bundleWords.ownedByOther,
    'other-organisation': bundleWords.ownedByOtherOrganisation,
  };
  return words[ownership];
}
