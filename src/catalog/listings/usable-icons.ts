import { parseUrl } from '../../config/parse-url';
import { isObject } from '../../http/requests/json-object';

/** The maximum length of an address in a `server.json`. */
const MAX_SRC_LENGTH = 255;

/** How many icons of a listing are fetched until one is good. */
const MAX_ICONS = 3;

/** The side of the picture that a page shows, in pixels, twice as large for dense screens. */
const WANTED_SIDE = 128;

const MEDIA_TYPES: readonly unknown[] = ['image/png', 'image/jpeg', 'image/jpg', 'image/webp'];

/** Ends of addresses of pictures that are not shown, where the document does not name the type. */
const OTHER_KINDS = /\.(svgz?|gif|ico|avif|bmp|tiff?)$/i;

/**
 * The icons of a listing that can be shown as far as its document says: PNG, JPEG or WebP. No SVG, which can contain
 * scripts and refer to other addresses.
 *
 * @param icons as in a `server.json`
 * @returns at most three addresses, the best first: for light pages, and close to the size that is shown
 */
export function usableIcons(icons: readonly unknown[]): string[] {
  const usable = icons.filter(isObject).flatMap((icon) => {
    const { src, mimeType, theme, sizes } = icon;
    if (typeof src !== 'string' || !isUsable(src, mimeType)) return [];
    return [{ src, rank: (theme === 'dark' ? 100 : 0) + distanceOf(sizes) }];
  });
  const sorted = usable.toSorted((one, other) => one.rank - other.rank).map(({ src }) => src);
  return [...new Set(sorted)].slice(0, MAX_ICONS);
}

function isUsable(src: string, mimeType: unknown): boolean {
  const url = src.length <= MAX_SRC_LENGTH ? parseUrl(src) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  if (url.username !== '' || url.password !== '') return false;
  return mimeType === undefined ? !OTHER_KINDS.test(url.pathname) : MEDIA_TYPES.includes(mimeType);
}

/** How far the size of a picture is from the wanted one: 1 for half or double; one of unknown size counts as that. */
function distanceOf(sizes: unknown): number {
  const sides = (Array.isArray(sizes) ? sizes : []).flatMap((size) => {
    const side = typeof size === 'string' ? Number(/^(\d{1,5})x\d/.exec(size)?.[1]) : NaN;
    return side > 0 ? [Math.abs(Math.log2(side / WANTED_SIDE))] : [];
  });
  return sides.length > 0 ? Math.min(...sides) : 1;
}
