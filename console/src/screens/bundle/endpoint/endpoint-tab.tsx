import type { Bundle } from '../../../api/schema';
import { endpointWords } from './words';

/** How clients reach the bundle, and what keeps its servers from being served. */
export default function EndpointTab({ bundle }: { bundle: Bundle }) {
  return <h2>{endpointWords.title(bundle.name)}</h2>;
}
