// A screenshot with at most 256 colours (https://www.w3.org/TR/png-3/): a page of text has few, and takes a third of the bytes.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
/** How coarse the shades may become, until there are few enough. */
const steps = [1, 2, 4, 8, 12, 16, 24, 32];

/** Takes what Chromium writes: eight bits for each of three or four channels, without interlacing. */
export function shrinkPng(png) {
  const image = readPng(png);
  const counts = countColours(image);
  for (const step of steps) {
    const palette = findPalette(counts, step);
    if (palette !== undefined) return writePng(image, palette);
  }
  return png;
}

function readPng(png) {
  let at = signature.length;
  let header;
  const data = [];
  while (at < png.length) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') data.push(body);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = header[9] === 6 ? 4 : 3;
  return {
    width,
    height,
    channels,
    pixels: unfilter(inflateSync(Buffer.concat(data)), width * channels, height, channels),
  };
}

function unfilter(lines, rowBytes, height, channels) {
  const pixels = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const filter = lines[y * (rowBytes + 1)];
    for (let x = 0; x < rowBytes; x += 1) {
      const here = y * rowBytes + x;
      const left = x < channels ? 0 : pixels[here - channels];
      const up = y === 0 ? 0 : pixels[here - rowBytes];
      const corner = y === 0 || x < channels ? 0 : pixels[here - rowBytes - channels];
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[here] = lines[y * (rowBytes + 1) + 1 + x] + guess;
    }
  }
  return pixels;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [byLeft, byUp, byCorner] = [left, up, corner].map((value) => Math.abs(guess - value));
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function readColour({ pixels, channels }, pixel) {
  const at = pixel * channels;
  return (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
}

/** Shades that lie next to each other, which become the one that is seen most. */
function nameBucket(colour, step) {
  const [red, green, blue] = [colour >> 16, (colour >> 8) & 255, colour & 255].map((value) =>
    Math.floor(value / step),
  );
  return (red << 16) | (green << 8) | blue;
}

/** The number of each shade, and the colour that it is shown in; undefined when there are too many. */
function findPalette(counts, step) {
  const shown = new Map();
  for (const [colour, count] of counts) {
    const bucket = nameBucket(colour, step);
    const known = shown.get(bucket);
    if (known === undefined || known.count < count) shown.set(bucket, { colour, count });
  }
  if (shown.size > 256) return undefined;
  const buckets = [...shown.keys()];
  const numbers = new Map(buckets.map((bucket, number) => [bucket, number]));
  return {
    colours: buckets.map((bucket) => shown.get(bucket).colour),
    numbers: new Map([...counts.keys()].map((colour) => [colour, numbers.get(nameBucket(colour, step))])),
  };
}

function countColours(image) {
  const counts = new Map();
  for (let pixel = 0; pixel < image.width * image.height; pixel += 1) {
    const colour = readColour(image, pixel);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return counts;
}

function writePng(image, { numbers, colours: shades }) {
  const { width, height } = image;
  const lines = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const row = Math.floor(pixel / width);
    lines[pixel + row + 1] = numbers.get(readColour(image, pixel));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = 3;
  const colours = Buffer.from(shades.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    signature,
    writeChunk('IHDR', header),
    writeChunk('PLTE', colours),
    writeChunk('IDAT', deflateSync(lines, { level: 9 })),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

function writeChunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(body.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
