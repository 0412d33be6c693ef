import { Screen } from '../../ui/screen';
import { editorWords } from './words';

/** The servers of a bundle beside the catalogue: add, order, configure, and save as one version. */
export function EditorScreen() {
  return <Screen title={editorWords.title}>{null}</Screen>;
}
