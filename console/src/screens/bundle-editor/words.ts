import { editor } from '../../messages/en/bundle-editor';
import { translated } from '../../messages/text';

export const editorWords = translated(editor);
