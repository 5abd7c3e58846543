// Copyright 2026 The eown authors. SPDX-License-Identifier: Apache-2.0
// Looks at the page it is put into and tells the page around it what it found.
'use strict';
{
  const luminance = (colour) => {
    const parts = colour.match(/[\d.]+/g).slice(0, 3).map(Number).map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const name = (element) =>
    `${element.tagName} ${element.textContent.trim().slice(0, 40)}`;
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const size = (element) => {
    const drawing = element.ownerSVGElement;
    const scale = drawing ? drawing.clientWidth / drawing.viewBox.baseVal.width : 1;
    return parseFloat(getComputedStyle(element).fontSize) * scale;
  };
  document.querySelectorAll('details').forEach((part) => { part.open = true; });
  const ground = getComputedStyle(document.body).backgroundColor;
  const shown = [...document.body.querySelectorAll('*')].filter((element) =>
    !element.closest('script, defs, .patterns') &&
    element.getBoundingClientRect().width > 0);
  const texts = shown.filter(hasText);
  const colour = (element) => {
    const style = getComputedStyle(element);
    return element.ownerSVGElement ? style.fill : style.color;
  };
  const found = {
    page: location.pathname,
    width: innerWidth,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    texts: texts.length,
    wide: shown.filter((element) => {
      const box = element.getBoundingClientRect();
      return box.right > innerWidth + 0.5 || box.left < -0.5;
    }).map(name),
    small: texts.filter((element) => size(element) < 11).map(name),
    faint: texts.filter((element) => contrast(colour(element), ground) < 4.5)
      .map(name),
  };
  parent.postMessage(found, '*');
}
