import type { Bundle } from '../../../api/schema';
import { bundleRoute } from '../bundle-route';
import { ReviewTools } from './review/review-tools';
import { ToolList } from './tool-list';
import { ToolPage } from './tool-page';

/** The tools, prompts and templates of the bundle: as its clients get them, and for editors what the bundle says of them. */
export default function ToolsTab({ bundle }: { bundle: Bundle }) {
  const { tool, review } = bundleRoute.useSearch();
  if (review !== undefined && bundle.may_modify) return <ReviewTools bundle={bundle} toolId={review} />;
  if (tool !== undefined) return <ToolPage key={tool} bundle={bundle} toolId={tool} />;
  return <ToolList bundle={bundle} />;
}
