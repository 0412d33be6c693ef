import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Request, Response } from 'express';

/** Where all of them are. */
const ASSETS = '/assets';

interface Asset {
  type: string;
  bytes: Buffer;
}

const assets = new Map<string, Asset>();
const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' };

/**
 * Serves a file of ours to pages. A changed file has a new address, so that browsers may keep each for good.
 *
 * @param files their paths: several are one file to browsers; a script is named `….browser.js`, so that the build takes it along
 * @returns its address
 */
export function pageAsset(name: string, type: keyof typeof TYPES, ...files: string[]): string {
  const bytes = Buffer.concat(files.map((file) => readFileSync(file)));
  const path = `${ASSETS}/${name}-${hash('sha256', bytes, 'hex').slice(0, 16)}.${type}`;
  assets.set(path, { type: TYPES[type], bytes });
  return path;
}

/** The icon of all pages. */
export const ICON_PATH = pageAsset('icon', 'svg', join(__dirname, 'icon.svg'));

/** Where browsers look for an icon if what they show names none, such as JSON. */
const FAVICON = '/favicon.ico';

/** A middleware: sends the icon at its usual address, where a later one has to be found within a day. */
export function sendFavicon(request: Request, response: Response, next: () => void): void {
  const icon = assets.get(ICON_PATH);
  if (!icon || request.path !== FAVICON || !['GET', 'HEAD'].includes(request.method)) return next();
  response.set({ 'Content-Type': icon.type, 'Cache-Control': 'public, max-age=86400' }).send(icon.bytes);
}

/** A middleware: sends a file, if the path is that of one. */
export function sendAsset(request: Request, response: Response, next: () => void): void {
  const asset = assets.get(request.path);
  if (!asset || !['GET', 'HEAD'].includes(request.method)) return next();
  response
    .set({ 'Content-Type': asset.type, 'Cache-Control': 'public, max-age=31536000, immutable' })
    .send(asset.bytes);
}
