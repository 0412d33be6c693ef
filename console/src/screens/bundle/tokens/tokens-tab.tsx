import type { Bundle } from '../../../api/schema';
import { tokensWords } from './words';

/** The access tokens of the bundle. */
export default function TokensTab({ bundle }: { bundle: Bundle }) {
  return <h2>{tokensWords.title(bundle.name)}</h2>;
}
