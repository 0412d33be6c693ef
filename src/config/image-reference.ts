/**
 * A container image with a digest: `[host[:port]/]path[:tag]@sha256:…` (the grammar of distribution/reference, and the
 * digests of the OCI image specification).
 */
const PINNED_IMAGE =
  /^(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:[._/]|__|-+)[a-z0-9]+)*(?::\w[\w.-]{0,127})?@sha256:[0-9a-f]{64}$/;
const MAX_LENGTH = 512;

/** @returns whether it names an image by its digest, so that it is the same image wherever and whenever it is pulled */
export function isPinnedImage(image: string): boolean {
  return image.length <= MAX_LENGTH && PINNED_IMAGE.test(image);
}
