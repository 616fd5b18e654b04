/// How far one picture is from another: PSNR, SSIM and MS-SSIM.
///
/// Knows nothing of how the pictures were made.
@NullMarked
package io.headrace.codec.quality;

import org.jspecify.annotations.NullMarked;
