// TF32: float32 of which 10 bits of the fraction are multiplied, in the place of 23, which the tensor cores of cards do
// several times as fast. As in TensorFlow it is one switch of the process, tf.config.experimental's
// enable_tensor_float_32_execution; unlike there it is off until somebody asks for it.
#pragma once

namespace plumb {

// Whether GPUs may compute products and convolutions of float32, and products of complex64, so. A session keeps to
// what held when it was opened.
void EnableTensorFloat32(bool enabled);

// False, whatever is asked for, where the environment has NVIDIA_TF32_OVERRIDE=0, as NVIDIA's libraries have it.
bool IsTensorFloat32Enabled();

}  // namespace plumb
